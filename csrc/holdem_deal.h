/* The canonical index of a deal whose cards exist and differ. */
#ifndef PYCS_HOLDEM_DEAL_H
#define PYCS_HOLDEM_DEAL_H

#include <stdint.h>

uint32_t pycs_holdem_index(const uint8_t deal[5]);

#endif
