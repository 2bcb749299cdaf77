// The model of the fault harness: what each order must cost, by the price that its person tapped and the results that the gateway made.

import { describe, expect, it } from 'vitest'
import { judgeOrders, type OrderFacts, type Wanted } from './model/orders.ts'

const person = 7

describe('judgeOrders', () => {
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

  it('expects an order to cost the price on the tapped button', () => {
    expect(faultsOf({})).toEqual([])
    expect(faultsOf({ entered: [{ ...entered, amount: 1001, captured: 1001 }] })).toHaveLength(1)
    expect(faultsOf({ entered: [{ ...entered, quoteId: 'another' }] })).toHaveLength(1)
  })

  it('expects an order with fewer results to cost their share of the price', () => {
    const made = [{ ...task, results: 2 }]
    expect(faultsOf({ made, entered: [{ ...entered, captured: 666 }] })).toEqual([])
    expect(faultsOf({ made })).toHaveLength(1)
  })

  it('expects a failed order to be free and a message to state the released amount', () => {
    const made = [{ ...task, status: 'failed' }]
    const free = [{ ...entered, captured: 0 }]
    const back = told('❌ Something went wrong.\n₽10.00 is back on your balance.')
    expect(faultsOf({ made, entered: free, saidIn: () => back })).toEqual([])
    expect(faultsOf({ made, entered: free })).toEqual(['nobody was told that 1000 is back'])
    expect(faultsOf({ made, saidIn: () => back })).toHaveLength(1)
  })

  it('expects the share of an unavailable first file to be refunded and announced', () => {
    const wanted = new Map([[order.mark, { ...order, isGone: true }]])
    const saidIn = () => told('⚠️ 1 of 3 files could not be fetched\n₽3.34 is back on your balance.')
    expect(faultsOf({ wanted, saidIn, entered: [{ ...entered, refunded: 334 }] })).toEqual([])
    expect(faultsOf({ wanted, saidIn, entered: [{ ...entered, refunded: 1000 }] })).toHaveLength(1)
    expect(faultsOf({ wanted, entered: [{ ...entered, refunded: 334 }] })).toHaveLength(1)
  })

  it('accepts an announced refund of the share of files whose server did not respond', () => {
    const saidIn = () =>
      told(
        '— the server with the file did not respond, even after many tries.\n₽3.34 is back on your balance.',
      )
    expect(faultsOf({ saidIn, entered: [{ ...entered, refunded: 334 }] })).toEqual([])
    expect(faultsOf({ saidIn, entered: [{ ...entered, refunded: 335 }] })).toHaveLength(1)
    expect(faultsOf({ entered: [{ ...entered, refunded: 334 }] })).toHaveLength(1)
    expect(faultsOf({ saidIn, entered: [{ ...entered, refunded: 667 }] })).toHaveLength(1)
  })

  it('expects an operator to refund an order once', () => {
    const refundedByOperators = new Set(['generation'])
    expect(faultsOf({ refundedByOperators, entered: [{ ...entered, refunded: 1000 }] })).toEqual([])
    expect(faultsOf({ refundedByOperators, entered: [{ ...entered, refunded: 2000 }] })).toHaveLength(1)
  })

  it('expects no refund for a lost file after an operator refunded the whole order', () => {
    const wanted = new Map([[order.mark, { ...order, isGone: true }]])
    const saidIn = () => told('↩️ ₽10.00 is back on your balance.')
    const change = { wanted, saidIn, entered: [{ ...entered, refunded: 1000 }] }
    expect(faultsOf({ ...change, refundedByOperators: new Set(['generation']) })).toEqual([])
    expect(faultsOf(change)).toHaveLength(1)
  })

  it('expects the group wallet to pay if the card named it, and to get the money of a failed order back', () => {
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

  describe('for an order by "Again"', () => {
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

    it('expects the price that the button showed', () => {
      expect(faultsOfBoth({})).toEqual([])
      expect(faultsOfBoth({ amount: 1000, captured: 1000 })).toHaveLength(1)
    })

    it('expects the payer of the repeated order', () => {
      expect(faultsOfBoth({ isByGroup: true })).toEqual(['generation second: the card named another payer'])
    })

    it('expects a tap on Generate if the repeated order is of another person', () => {
      expect(faultsOfBoth({}, { person: 8 })).toEqual([
        'generation second: its price was on no button that was tapped',
      ])
      expect(faultsOfBoth({ quoteId: 'quote', amount: 1000, captured: 1000 }, { person: 8 })).toEqual([])
    })

    it('ignores the message that the repeated order was refunded', () => {
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

  it('reports a task without a confirmed order', () => {
    expect(faultsOf({ entered: [] })).toEqual(['made without an order'])
  })
})
