"""Work in threads whose results come in the order of what they were made of, a few at a time."""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

__all__ = ["in_order"]

Item = TypeVar("Item")
Made = TypeVar("Made")


def in_order(work: Callable[[Item], Made], items: Iterable[Item], *, threads: int, ahead: int) -> Iterator[Made]:
    """What `work` makes of each item, in their order, by so many threads.

    At most `ahead` items are in hand, so that memory is bounded for any number of them. What has not begun when the
    caller goes away is left undone.

    >>> list(in_order(str, range(3), threads=2, ahead=4))
    ['0', '1', '2']
    """
    waiting: deque[Future[Made]] = deque()
    pool = ThreadPoolExecutor(threads)
    try:
        for item in items:
            if len(waiting) == ahead:
                yield waiting.popleft().result()
            waiting.append(pool.submit(work, item))
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
