// The baseline of updates: a bare grammY bot that says everything back, as its runner does it.

import { run } from '@grammyjs/runner'
import { echo } from './echo.ts'

run(echo())
