// All benchmarks, in the order in which they run.

import type { Bench } from '../bench.ts'
import { callbacks } from './callbacks.ts'
import { forms } from './forms.ts'
import { inFlight } from './in-flight.ts'
import { orders } from './orders.ts'
import { start } from './start.ts'
import { streams } from './streams.ts'
import { updates } from './updates.ts'

export const benches: readonly Bench[] = [updates, orders, callbacks, forms, inFlight, streams, start]
