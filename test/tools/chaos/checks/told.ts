// Checks that decisions of operators are announced: corrections and refunds to the person concerned, broadcasts to everybody.

import { type Check, type Evidence, leasesMayExpire } from './check.ts'

const isTold = ({ chats }: Evidence, person: number, words: RegExp): boolean =>
  chats
    .of(person)
    .told()
    .some((said) => words.test(said.words))

export const everyDecisionIsTold: Check = {
  name: 'each correction and refund by an operator is told to its person',
  find(evidence) {
    const { desk, ordered } = evidence
    const orders = new Map(ordered.map((one) => [one.id, one]))
    const done = new Set(evidence.operatorReasons)
    const corrections = desk.corrections
      .filter(({ reason }) => done.has(reason))
      .map(({ person, reason }) => ({ person, reason }))
    const refunds = desk.refunds
      .filter(({ reason }) => done.has(reason))
      .flatMap(({ generation, reason }) => {
        const person = orders.get(generation)?.chatId
        return person === undefined ? [] : [{ person, reason }]
      })
    return [...corrections, ...refunds]
      .filter(({ person, reason }) => !isTold(evidence, person, new RegExp(`^[➕➖↩️].*${reason}`, 'su')))
      .map(({ person, reason }) => ({ about: String(person), fact: `${reason} was not told` }))
  },
}

export const everyBroadcastArrives: Check = {
  name: 'each broadcast is in the chat of everybody who was there',
  find: (evidence) =>
    evidence.desk.broadcasts.flatMap(({ words, to }) =>
      to
        .filter((person) => !evidence.desk.banned.has(person))
        .filter((person) => !isTold(evidence, person, new RegExp(`^${words}$`)))
        .map((person) => ({ about: String(person), fact: `lacks ${words}` })),
    ),
}

export const noBroadcastComesTwice: Check = {
  name: 'a broadcast comes twice only after lost answers and ended processes',
  find({ chats, desk, people, journal }) {
    const copies = desk.broadcasts.flatMap(({ words }) =>
      [...people].map((person) => {
        const same = chats
          .of(person)
          .told()
          .filter((said) => said.words === words)
        return { about: String(person), fact: `${words}: ${same.length} times`, more: same.length - 1 }
      }),
    )
    const repeated = copies.filter(({ more }) => more > 0)
    const times = repeated.reduce((sum, { more }) => sum + more, 0)
    journal.count('copies of broadcasts', times)
    const most = journal.sum(/^fault: telegram copyMessage answer lost$/) + journal.sum(leasesMayExpire)
    return times > most ? repeated.map(({ about, fact }) => ({ about, fact })) : []
  },
}
