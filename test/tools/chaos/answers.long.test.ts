// The model of the fault harness: what answers and translated prompts must cost, by the gateway's bills.

import { describe, expect, it } from 'vitest'
import { type AnswerFacts, faultsOfAnswers, faultsOfRewritings } from './model/answers.ts'

const person = 7

describe('faultsOfAnswers', () => {
  const first = { id: 'first', rates: { input: '39.62', output: '158.46' }, seesPictures: false }
  const bill = {
    number: 1,
    model: 'first',
    pictures: 0,
    text: 'A whole answer.',
    thinking: '',
    modes: [],
    input: 10_000,
    output: 10_000,
    isWhole: true,
    tellsUsage: true,
    begunAt: 0,
    endedAt: 100,
  }
  const turn = { id: 'turn', number: 1, captured: 199, refunded: 0, delivery: 'delivered', asked: 5 }
  const said = (words: string, label = '₽1.99') => [{ id: 1, words, buttons: [{ data: 'cc:turn', label }] }]
  const faultsOf = (change: Partial<AnswerFacts>) =>
    faultsOfAnswers({
      questions: [{ number: 1, person, hasPicture: false, choices: [{ model: 'first', modes: [] }] }],
      billed: [bill],
      booked: [turn],
      stops: [],
      saidTo: () => said('A whole answer.'),
      wasDisturbed: () => false,
      models: [first, { ...first, id: 'second', rates: { input: '20', output: '80' }, seesPictures: true }],
      ...change,
    }).map(({ fact }) => fact)

  it('accepts an answer that costs the billed price shown on its button, and reports any other price', () => {
    expect(faultsOf({})).toEqual([])
    expect(
      faultsOf({ booked: [{ ...turn, captured: 200 }], saidTo: () => said('A whole answer.', '₽2.00') }),
    ).toHaveLength(1)
    expect(faultsOf({ saidTo: () => said('A whole answer.', '₽1.98') })).toHaveLength(1)
  })

  it('reports an answer whose text is incomplete in the chat', () => {
    expect(faultsOf({ saidTo: () => said('A whole') })).toHaveLength(1)
  })

  it('accepts an incomplete answer if its process was disturbed, and limits its price to the part shown', () => {
    const wasDisturbed = () => true
    const early = { ...bill, output: 10_000, text: 'x'.repeat(40_000) }
    const part = said('x'.repeat(4000), '₽0.80')
    const facts = { wasDisturbed, billed: [early], saidTo: () => part }
    expect(faultsOf({ ...facts, booked: [{ ...turn, captured: 80 }] })).toEqual([])
    expect(faultsOf({ ...facts, booked: [{ ...turn, captured: 199 }] })).not.toEqual([])
  })

  it('accepts an incomplete answer if its person tapped Stop below its draft', () => {
    const part = {
      billed: [{ ...bill, text: 'x'.repeat(40_000) }],
      booked: [{ ...turn, captured: 80 }],
      saidTo: () => said('x'.repeat(4000), '₽0.80'),
    }
    expect(faultsOf({ ...part, stops: [{ person, draft: 5, at: 0 }] })).toEqual([])
    expect(faultsOf({ ...part, stops: [{ person, draft: 6, at: 0 }] })).toHaveLength(2)
    expect(faultsOf({ ...part, stops: [{ person: 8, draft: 5, at: 0 }] })).toHaveLength(2)
  })

  it('reports an answer that goes on for seconds after a tap on Stop, unless its process was disturbed', () => {
    const stopped = { billed: [{ ...bill, endedAt: 5000 }] }
    expect(faultsOf({ ...stopped, stops: [{ person, draft: 5, at: 4000 }] })).toEqual([])
    const facts = { ...stopped, stops: [{ person, draft: 5, at: 1000 }] }
    expect(faultsOf(facts)).toEqual(['it went on for 4000 ms after Stop was tapped'])
    expect(faultsOf({ ...facts, wasDisturbed: () => true })).toEqual([])
  })

  it('reports a charge for an answer without a bill', () => {
    expect(faultsOf({ billed: [], saidTo: () => said('❌ No answer came.') })).toHaveLength(1)
  })

  it('reports a question that was sent to the gateway twice, or without a hold', () => {
    expect(faultsOf({ billed: [bill, bill] })).toHaveLength(1)
    expect(faultsOf({ booked: [] })).toHaveLength(1)
  })

  it('expects the chosen model to answer, at its rates', () => {
    const asked = { number: 1, person, hasPicture: false, choices: [{ model: 'second', modes: [] }] }
    const facts = { questions: [asked], billed: [{ ...bill, model: 'second' }] }
    const button = () => said('A whole answer.', '₽1.00')
    expect(faultsOf({ ...facts, booked: [{ ...turn, captured: 100 }], saidTo: button })).toEqual([])
    expect(faultsOf(facts)).toHaveLength(1)
    expect(faultsOf({ questions: [asked] })).toEqual(['first was asked instead of second'])
  })

  it('expects the request to switch on the chosen modes, and accepts any modes if the choice was not seen', () => {
    const asked = (modes?: readonly string[]) => ({
      questions: [{ number: 1, person, hasPicture: false, choices: [{ model: 'first', modes }] }],
      billed: [{ ...bill, modes: ['search'] }],
    })
    expect(faultsOf(asked(['search']))).toEqual([])
    expect(faultsOf(asked())).toEqual([])
    expect(faultsOf(asked(['thinking']))).toEqual(['first + search was asked instead of first + thinking'])
  })

  it('accepts an estimate from half the billed price to the billed price if the gateway reported no usage', () => {
    const silent = { billed: [{ ...bill, tellsUsage: false }] }
    const costs = (captured: number) =>
      faultsOf({
        ...silent,
        booked: [{ ...turn, captured }],
        saidTo: () => said('A whole answer.', `₽${(captured / 100).toFixed(2)}`),
      })
    expect(costs(199)).toEqual([])
    expect(costs(150)).toEqual([])
    expect(costs(200)).toHaveLength(1)
    expect(costs(90)).toHaveLength(1)
  })

  it('expects the thinking of the model and the words of links in the chat', () => {
    const billed = [
      { ...bill, thinking: 'What is to be said here?', text: 'An answer, see [this](https://a.example).' },
    ]
    const answer = said('An answer, see this.')
    const thinking = (words: string) => [{ id: 2, words, buttons: [] }, ...answer]
    expect(faultsOf({ billed, saidTo: () => thinking('Thinking: What is to be said here?') })).toEqual([])
    expect(faultsOf({ billed, saidTo: () => thinking('Thinking: What is to be said') })).toEqual([
      'turn turn: not in the chat: here',
    ])
  })

  it('expects a question about a picture to go, with the picture, to a model that sees pictures', () => {
    const choices = ['first', 'second'].map((model) => ({ model, modes: undefined }))
    const asked = { number: 1, person, hasPicture: true, choices }
    const seen = { ...bill, model: 'second', pictures: 1 }
    const facts = {
      questions: [asked],
      booked: [{ ...turn, captured: 100 }],
      saidTo: () => said('A whole answer.', '₽1.00'),
    }
    expect(faultsOf({ ...facts, billed: [seen] })).toEqual([])
    expect(faultsOf({ ...facts, billed: [{ ...seen, pictures: 0 }] })).toEqual([
      'it was asked with 0 pictures',
    ])
    expect(faultsOf({ questions: [asked], billed: [{ ...bill, pictures: 1 }] })).toEqual([
      'first sees no pictures',
    ])
  })
})

describe('faultsOfRewritings', () => {
  const cheap = { id: 'cheap', rates: { input: '20', output: '80' }, seesPictures: false }
  const dear = { ...cheap, id: 'dear', rates: { input: '40', output: '160' } }
  const bill = {
    number: 1,
    model: 'cheap',
    pictures: 0,
    text: 'kot',
    thinking: '',
    modes: [],
    input: 10_000,
    output: 10_000,
    isWhole: true,
    tellsUsage: true,
    begunAt: 0,
    endedAt: 100,
  }
  const turn = { id: 'turn', number: 1, captured: 100, refunded: 0, delivery: 'delivered', asked: 5 }
  const says = (words: string) => () => [{ id: 1, words, buttons: [] }]
  const sorry = says('❌ The text could not be changed. Nothing was charged, and the card is still there.')
  const faultsOf = (change: object) =>
    faultsOfRewritings({
      rewritings: [{ number: 1, person, made: 'question 1: kot', taps: 1 }],
      billed: [bill],
      booked: [turn],
      saidTo: says('o00001x question 1: kot'),
      wasDisturbed: () => false,
      models: [dear, cheap],
      ...change,
    }).map(({ fact }) => fact)

  it("expects a translation to cost the cheapest model's price and to be in the chat", () => {
    expect(faultsOf({})).toEqual([])
    expect(faultsOf({ booked: [{ ...turn, captured: 99 }] })).toHaveLength(2)
    expect(faultsOf({ saidTo: says('кот') })).toEqual(['it was paid for, and is not in the chat'])
    const byDear = { billed: [{ ...bill, model: 'dear' }], booked: [{ ...turn, captured: 200 }] }
    expect(faultsOf(byDear)).toEqual(['dear was asked'])
  })

  it('expects a translation that broke off to be free and a message to say so', () => {
    const cut = { billed: [{ ...bill, isWhole: false }], booked: [{ ...turn, captured: 0 }] }
    expect(faultsOf({ ...cut, saidTo: sorry })).toEqual([])
    expect(faultsOf(cut)).toEqual(['1 texts were not changed, 0 messages say so'])
    expect(faultsOf({ ...cut, booked: [{ ...turn, captured: 50 }] })).toHaveLength(1)
  })

  it('accepts a free whole translation only if its process was disturbed', () => {
    const free = { booked: [{ ...turn, captured: 0 }], saidTo: sorry }
    expect(faultsOf(free)).toEqual(['100 is due for a whole text, paid: nothing'])
    expect(faultsOf({ ...free, wasDisturbed: () => true })).toEqual([])
  })

  it('accepts at most one translation for each tap', () => {
    const twice = { billed: [bill, bill], booked: [turn, { ...turn, id: 'another' }] }
    expect(faultsOf(twice)).toEqual(['asked for 1 times, and 2 turns'])
    const rewritings = [{ number: 1, person, made: 'question 1: kot', taps: 2 }]
    expect(faultsOf({ ...twice, rewritings })).toEqual([])
    expect(faultsOf({ billed: [bill, bill], rewritings })).toHaveLength(2)
  })
})
