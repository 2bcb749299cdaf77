// The baseline of updates: a bare grammY bot that echoes messages, with grammY's runner.

import { run } from '@grammyjs/runner'
import { echo } from './echo.ts'

run(echo())
