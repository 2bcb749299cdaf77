// Passes the name of the running test file to mark.ts, in this process and in those that it starts.

import { relative } from 'node:path'
import { expect } from 'vitest'

const { MUTANTS_ROOT: root, MUTANTS_MARKS: isMarking } = process.env
const { testPath } = expect.getState()
if (isMarking && root && testPath) process.env.MUTANTS_TEST = relative(root, testPath)
