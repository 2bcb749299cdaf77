// The baseline of updates and of starts: a bare grammY bot that says everything back, one update after another.

import { echo } from './echo.ts'

await echo().start()
