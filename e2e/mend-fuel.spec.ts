/**
 * Loops of a learner's kernels: where one does not end, or may not be there, the grade names its
 * line.
 */
import { exerciseText } from '../src/exercises/testing/programs'
import { expect } from './fixtures'
import { expectFailure, GRADING_TIMEOUT_MS } from './mends'
import type { Grade } from '../src/exercises/types'
import { test } from './shared-page'

test.beforeEach(async ({ lab }) => {
  test.setTimeout(GRADING_TIMEOUT_MS)
  await lab.open('/method')
})

const sentence = ({ checks }: Grade, check: string): string =>
  checks.find(({ id }) => id === check)?.text ?? ''

const replaced = (text: string, ...edits: readonly (readonly [from: string, to: string])[]): string => {
  let edited = text
  for (const [from, to] of edits) {
    expect(edited).toContain(from)
    edited = edited.replace(from, to)
  }
  return edited
}

test('a kernel that a program makes has no loop: its line is named', async ({ lab }) => {
  const source = replaced(await exerciseText('tensor-residence', 'reference'), [
    'if (id.x < arrayLength(&tensor)) {',
    'for (var i = id.x; i < arrayLength(&tensor); i += 64u) {',
  ])
  const grade = await lab.grade('tensor-residence', source)
  expectFailure(grade, 'ended')
  expect(sentence(grade, 'ended')).toContain('Line 13 of your WGSL is a loop')
})

test('a kernel whose loop does not end is named by its line', async ({ lab }) => {
  const source = replaced(await exerciseText('kernel-ladder', 'start'), ['k < n; k += 1u', 'k < n; k *= 2u'])
  const grade = await lab.grade('kernel-ladder', source)
  expectFailure(grade, 'fuel')
  expect(sentence(grade, 'fuel')).toContain('The loop in line 17 of your WGSL')
})

test('a kernel that does not compile is the learner’s, at its line', async ({ lab }) => {
  const source = replaced(await exerciseText('kernel-ladder', 'start'), ['sum +=', 'total +='])
  const grade = await lab.grade('kernel-ladder', source)
  expectFailure(grade, 'ended')
  expect(sentence(grade, 'ended')).toMatch(/^Your WGSL does not compile: .*\(line 18\)$/)
  expect(sentence(grade, 'ended')).not.toContain('bug')
})
