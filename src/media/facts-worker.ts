// The thread that looks into containers.

import { readFacts } from './facts.ts'
import { answerInThread } from './thread.ts'

answerInThread(async (bytes) => new TextEncoder().encode(JSON.stringify(await readFacts(bytes))))
