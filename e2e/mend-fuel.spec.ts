/** Loops of a learner's kernels: few invocations may have long ones, and where one does not end the grade names its line. */
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

/** One workgroup for all words of a tensor. */
const STRIDED: readonly (readonly [string, string])[] = [
  ['@workgroup_size(256)', '@workgroup_size(64)'],
  ['if (id.x < arrayLength(&tensor)) { // the last workgroup reaches beyond the end', 'for (var i = id.x; i < arrayLength(&tensor); i += 64u) {'],
  ['tensor[id.x] = hash(id.x + hash(seed))', 'tensor[i] = hash(i + hash(seed))'],
  ['pass.dispatchWorkgroups(Math.ceil(words / 256))', 'pass.dispatchWorkgroups(1)'],
] // oxfmt-ignore

test('a strided loop of one workgroup does all the work', async ({ lab }) => {
  const source = replaced(await exerciseText('tensor-residence', 'reference'), ...STRIDED)
  expect(failedBut(await lab.grade('tensor-residence', source), 'time')).toEqual([])
})

/** One workgroup may be too slow for a GPU’s time. */
const failedBut = ({ checks }: Grade, allowed: string): readonly string[] =>
  checks.flatMap(({ id, outcome, text }) => (outcome === 'no' && id !== allowed ? [`${id}: ${text}`] : []))

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
