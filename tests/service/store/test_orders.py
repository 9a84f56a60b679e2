"""Standing orders, stored next to the log: only a reader of the current orders can change them.

The append itself drops them or records their moves.
"""

from __future__ import annotations

from service.store import Store
from service.store.log import Addition
from service.store.orders import StoredOrders, forget_orders, withdraw_orders, write_orders

from .games import GAME, append, commit, make_due

NOTHING = StoredOrders()
FIRST = StoredOrders(b'{"version":1}', b'{"entries":[]}')
SECOND = StoredOrders(b'{"version":2}', b'{"entries":[1]}')
WITHDRAWN = StoredOrders(b"", b'{"entries":[1,2]}')


def test_there_are_none_to_begin_with(store: Store) -> None:
    assert store.orders.read(GAME, 0) == NOTHING


def test_they_are_written_by_who_has_read_them(store: Store) -> None:
    append(store, GAME, 0)
    assert store.orders.change(GAME, 1, 1, NOTHING, FIRST, None)
    assert store.orders.change(GAME, 1, 1, FIRST, SECOND, None)
    assert store.orders.change(GAME, 1, 1, FIRST, WITHDRAWN, None) is None
    assert store.orders.change(GAME, 1, 1, StoredOrders(SECOND.orders, FIRST.history), WITHDRAWN, None) is None
    assert [store.orders.read(GAME, seat) for seat in range(3)] == [NOTHING, SECOND, NOTHING]
    assert store.orders.change(GAME, 1, 1, SECOND, WITHDRAWN, None)
    assert store.orders.read(GAME, 1) == WITHDRAWN


def test_they_are_for_the_position_that_they_were_given_in(store: Store) -> None:
    append(store, GAME, 0)
    append(store, GAME, 1)
    assert store.orders.change(GAME, 1, 1, NOTHING, FIRST, True) is None
    assert store.orders.read(GAME, 1) == NOTHING
    assert store.due.overdue(0) == []


def test_a_change_made_again_is_recognised(store: Store) -> None:
    append(store, GAME, 0)
    for _ in range(2):
        assert store.orders.change(GAME, 1, 1, NOTHING, FIRST, True)
    assert store.orders.read(GAME, 1) == FIRST


def test_a_change_tells_whether_something_is_due(store: Store) -> None:
    append(store, GAME, 0)
    at = store.orders.change(GAME, 1, 1, NOTHING, FIRST, True)
    assert store.due.overdue(0) == [(GAME, at)]
    store.orders.change(GAME, 2, 1, NOTHING, FIRST, None)
    assert store.due.overdue(0) == [(GAME, at)]
    store.orders.change(GAME, 1, 1, FIRST, FIRST, False)
    assert store.due.overdue(0) == []


def test_a_turn_is_not_put_to_rest_by_who_has_read_other_orders(store: Store) -> None:
    append(store, GAME, 0)
    store.orders.change(GAME, 1, 1, NOTHING, FIRST, True)
    assert store.orders.change(GAME, 1, 1, NOTHING, NOTHING, False) is None
    assert store.due.overdue(0) != []


def test_who_has_none_is_put_to_rest_too(store: Store) -> None:
    append(store, GAME, 0)
    make_due(store, GAME, 0)
    assert store.orders.change(GAME, 1, 1, NOTHING, NOTHING, False)
    assert store.due.overdue(0) == []


def test_an_append_asks_the_seat_that_has_orders(store: Store) -> None:
    append(store, GAME, 0)
    store.orders.change(GAME, 1, 1, NOTHING, FIRST, None)
    append(store, GAME, 1, seat_to_act=0)
    assert store.due.overdue(0) == []
    append(store, GAME, 2, seat_to_act=1)
    assert [game for game, _ in store.due.overdue(0)] == [GAME]
    append(store, GAME, 3, seat_to_act=None)
    assert store.due.overdue(0) == []


def test_an_append_by_orders_is_refused_when_they_are_others_now(store: Store) -> None:
    append(store, GAME, 0)
    store.orders.change(GAME, 1, 1, NOTHING, SECOND, None)
    for orders in (FIRST.orders, b""):
        assert not append(store, GAME, 1, by_orders=(1, orders), writes=write_orders(GAME, 1, WITHDRAWN))
    assert not append(store, GAME, 1, by_orders=(0, SECOND.orders))
    assert store.log.length(GAME) == 1
    assert store.orders.read(GAME, 1) == SECOND


def test_an_append_by_orders_writes_what_has_become_of_them(store: Store) -> None:
    append(store, GAME, 0)
    store.orders.change(GAME, 1, 1, NOTHING, FIRST, None)
    by_orders = Addition(
        game=GAME, expected=1, commit=commit(2), by_orders=(1, FIRST.orders), writes=write_orders(GAME, 1, WITHDRAWN)
    )
    appended = store.log.append(by_orders)
    assert appended is not None
    assert store.log.append(by_orders) is not None, "a repeated attempt is recognised"
    assert store.log.length(GAME) == 2
    assert store.orders.read(GAME, 1) == WITHDRAWN


def test_an_append_withdraws_or_forgets(store: Store) -> None:
    append(store, GAME, 0)
    for seat in range(3):
        store.orders.change(GAME, seat, 1, NOTHING, FIRST, None)
    append(store, GAME, 1, writes=[*withdraw_orders(GAME, [0]), *forget_orders(GAME, [1])])
    kept = [store.orders.read(GAME, seat) for seat in range(3)]
    assert kept == [StoredOrders(b"", FIRST.history), NOTHING, FIRST]


def test_they_are_not_printed() -> None:
    assert repr(FIRST) == "StoredOrders()"
