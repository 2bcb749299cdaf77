// The baseline of updates: a minimal grammY bot that echoes messages, run by grammY's runner.

import { run } from '@grammyjs/runner'
import { echo } from './echo.ts'

run(echo())
