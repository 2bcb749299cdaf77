// The baseline of updates and of starts: a minimal grammY bot that echoes messages, one update after another.

import { echo } from './echo.ts'

await echo().start()
