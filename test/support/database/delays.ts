// Loaded into the workers of a test run with `TEST_DELAYS`: what the database answers arrives after a random delay. So statements that run
// at the same time end in any order, as on a busy machine, and races of the app, or of tests that do not wait for enough, show.

import { Socket } from 'node:net'

/** The length of the delays, as a multiple of the usual one. */
const factor = Number(process.env.TEST_DELAYS)
const { connect, emit } = Socket.prototype
const later = globalThis.setTimeout

/** In milliseconds: most answers are not delayed, and few of them for long. */
function delayMs(): number {
  const kind = Math.random()
  if (kind < 0.6) return 0
  return Math.random() * factor * (kind < 0.9 ? 4 : kind < 0.985 ? 25 : 120)
}

/** Clients; of these only the driver of the database gets its data by events. */
const clients = new WeakSet<Socket>()
/** The events of a socket that are delayed, in their order. */
const delayed = new WeakMap<Socket, (() => void)[]>()

function passOn(socket: Socket, events: (() => void)[]): void {
  events.shift()?.()
  if (events.length === 0) delayed.delete(socket)
  else later(passOn, delayMs(), socket, events)
}

/** @returns whether the event is passed on later */
function isDelayed(socket: Socket, event: unknown, pass: () => void): boolean {
  const events = delayed.get(socket)
  if (events) return events.push(pass) > 0
  const ms = event === 'data' && clients.has(socket) ? delayMs() : 0
  if (ms === 0) return false
  const first = [pass]
  delayed.set(socket, first)
  later(passOn, ms, socket, first)
  return true
}

Object.assign(Socket.prototype, {
  connect(this: Socket, ...given: unknown[]): unknown {
    clients.add(this)
    return Reflect.apply(connect, this, given)
  },
  emit(this: Socket, event: unknown, ...given: unknown[]): boolean {
    const pass = (): boolean => Reflect.apply(emit, this, [event, ...given])
    return isDelayed(this, event, pass) || pass()
  },
})
