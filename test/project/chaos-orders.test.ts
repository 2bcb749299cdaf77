// The model of the fault harness: what each order must cost, by what its person saw and tapped, and by what the gateway made.

import { describe, expect, it } from 'vitest'
import { judgeOrders, type OrderFacts, type Wanted } from '../chaos/model/orders.ts'

const person = 7

describe('an order', () => {
  const offers = new Map([['q:quote', { price: 1000, count: 3, isByGroup: false }]])
  const order = {
    mark: 'o00001x',
    words: 'o00001x',
    again: undefined,
    person,
    place: person,
    isGone: false,
    offers,
  }
  const entered = {
    id: 'generation',
    mark: 'o00001x',
    quoteId: 'quote',
    amount: 1000,
    captured: 1000,
    refunded: 0,
    isByGroup: false,
  }
  const task = { id: 'task', mark: 'o00001x', status: 'completed', results: 3 }
  const told = (words: string) => [{ id: 1, words: `${words}\no00001x`, buttons: [] }]
  const faultsOf = (change: Partial<OrderFacts>) =>
    judgeOrders({
      wanted: new Map([[order.mark, order]]),
      made: [task],
      entered: [entered],
      saidIn: () => [],
      refundedByOperators: new Set(),
      ...change,
    }).flatMap(({ faults }) => faults)

  it('costs the price on the button that was tapped', () => {
    expect(faultsOf({})).toEqual([])
    expect(faultsOf({ entered: [{ ...entered, amount: 1001, captured: 1001 }] })).toHaveLength(1)
    expect(faultsOf({ entered: [{ ...entered, quoteId: 'another' }] })).toHaveLength(1)
  })

  it('costs the share of what came', () => {
    const made = [{ ...task, results: 2 }]
    expect(faultsOf({ made, entered: [{ ...entered, captured: 666 }] })).toEqual([])
    expect(faultsOf({ made })).toHaveLength(1)
  })

  it('that failed is free, and the amount that is back is told', () => {
    const made = [{ ...task, status: 'failed' }]
    const free = [{ ...entered, captured: 0 }]
    const back = told('❌ Something went wrong.\n₽10.00 is back on your balance.')
    expect(faultsOf({ made, entered: free, saidIn: () => back })).toEqual([])
    expect(faultsOf({ made, entered: free })).toEqual(['nobody was told that 1000 is back'])
    expect(faultsOf({ made, saidIn: () => back })).toHaveLength(1)
  })

  it('whose first file cannot be had gives back the share of that file, and says so', () => {
    const wanted = new Map([[order.mark, { ...order, isGone: true }]])
    const saidIn = () => told('⚠️ 1 of 3 files could not be fetched\n₽3.34 is back on your balance.')
    expect(faultsOf({ wanted, saidIn, entered: [{ ...entered, refunded: 334 }] })).toEqual([])
    expect(faultsOf({ wanted, saidIn, entered: [{ ...entered, refunded: 1000 }] })).toHaveLength(1)
    expect(faultsOf({ wanted, entered: [{ ...entered, refunded: 334 }] })).toHaveLength(1)
  })

  it('whose files could not be reached gives back their share, and says so', () => {
    const saidIn = () =>
      told(
        '— the server with the file did not respond, even after many tries.\n₽3.34 is back on your balance.',
      )
    expect(faultsOf({ saidIn, entered: [{ ...entered, refunded: 334 }] })).toEqual([])
    expect(faultsOf({ saidIn, entered: [{ ...entered, refunded: 335 }] })).toHaveLength(1)
    expect(faultsOf({ entered: [{ ...entered, refunded: 334 }] })).toHaveLength(1)
    expect(faultsOf({ saidIn, entered: [{ ...entered, refunded: 667 }] })).toHaveLength(1)
  })

  it('is refunded by operators once', () => {
    const refundedByOperators = new Set(['generation'])
    expect(faultsOf({ refundedByOperators, entered: [{ ...entered, refunded: 1000 }] })).toEqual([])
    expect(faultsOf({ refundedByOperators, entered: [{ ...entered, refunded: 2000 }] })).toHaveLength(1)
  })

  it('of which an operator was first to give all back is not refunded for its lost file as well', () => {
    const wanted = new Map([[order.mark, { ...order, isGone: true }]])
    const saidIn = () => told('↩️ ₽10.00 is back on your balance.')
    const change = { wanted, saidIn, entered: [{ ...entered, refunded: 1000 }] }
    expect(faultsOf({ ...change, refundedByOperators: new Set(['generation']) })).toEqual([])
    expect(faultsOf(change)).toHaveLength(1)
  })

  it('of which the card named the wallet of the group is paid by it, and the wallet gets back what failed', () => {
    const group = -5
    const byGroup = new Map([['q:quote', { price: 1000, count: 3, isByGroup: true }]])
    const wanted = new Map([[order.mark, { ...order, place: group, offers: byGroup }]])
    expect(faultsOf({ wanted, entered: [{ ...entered, isByGroup: true }] })).toEqual([])
    expect(faultsOf({ wanted })).toEqual(['generation generation: the card named another payer'])
    const failed = { wanted, made: [], entered: [{ ...entered, captured: 0, isByGroup: true }] }
    const back = (where: string) => ({
      ...failed,
      saidIn: (place: number) =>
        place === group ? told(`❌ Something went wrong.\n₽10.00 is back ${where}.`) : [],
    })
    expect(faultsOf(back('in the group wallet'))).toEqual([])
    expect(faultsOf(back('on your balance'))).toHaveLength(1)
  })

  describe('by "Again"', () => {
    const again = { ...order, mark: 'o00001x again 1', again: { generation: 'generation', price: 900 } }
    const second = {
      ...entered,
      id: 'second',
      mark: again.mark,
      quoteId: 'unseen',
      amount: 900,
      captured: 900,
    }
    const made = [task, { ...task, id: 'another', mark: again.mark }]
    const faultsOfBoth = (repeated: object, change: object = {}) =>
      faultsOf({
        wanted: new Map<string, Wanted>([
          [order.mark, order],
          [again.mark, { ...again, ...change }],
        ]),
        made,
        entered: [entered, { ...second, ...repeated }],
      })

    it('costs the price that the button showed', () => {
      expect(faultsOfBoth({})).toEqual([])
      expect(faultsOfBoth({ amount: 1000, captured: 1000 })).toHaveLength(1)
    })

    it('is paid by the payer of the order before', () => {
      expect(faultsOfBoth({ isByGroup: true })).toEqual(['generation second: the card named another payer'])
    })

    it('of somebody else is not made without a tap on Generate', () => {
      expect(faultsOfBoth({}, { person: 8 })).toEqual([
        'generation second: its price was on no button that was tapped',
      ])
      expect(faultsOfBoth({ quoteId: 'quote', amount: 1000, captured: 1000 }, { person: 8 })).toEqual([])
    })

    it('is not free because the order before was given back', () => {
      const words =
        '❌ Something went wrong.\nThe service ran out of time. ₽10.00 is back on your balance.\no00001x'
      const free = { ...entered, id: 'aaaaaaaaaa', captured: 0 }
      const repeated = { ...again, again: { generation: free.id, price: 900 } }
      const faults = faultsOf({
        wanted: new Map<string, Wanted>([
          [order.mark, order],
          [again.mark, repeated],
        ]),
        made,
        entered: [free, { ...second, id: 'bbbbbbbbbb' }],
        saidIn: () => [{ id: 1, words, buttons: [{ data: 'ro:aaaaaaaaaa:900', label: 'Again' }] }],
      })
      expect(faults).toEqual([])
    })
  })

  it('that nobody confirmed is not made', () => {
    expect(faultsOf({ entered: [] })).toEqual(['made without an order'])
  })
})
