/**
 * The recorder under real WebGPU: what programs do there, and that it leaves no trace of its own.
 */
import type { Span } from '../src/recorder/testing/spans'
import { expect, test } from './fixtures'
import { ownPage } from './own-page'
import type { RecorderLab } from './recorder-page/recorder-page'
import type { Page } from '@playwright/test'

type RecorderGlobal = typeof globalThis & { readonly recorderLab: RecorderLab }

const openOwnPage = ownPage('recorder', 'recorderLab')
test.beforeEach(async ({ page }) => await openOwnPage(page))

const record = (page: Page, name: Parameters<RecorderLab['record']>[0]) =>
  page.evaluate((program) => (globalThis as RecorderGlobal).recorderLab.record(program), name)

const of = (spans: readonly Span[], only: Partial<Span>): readonly Span[] =>
  spans.filter((span) => Object.entries(only).every(([name, value]) => span[name as keyof Span] === value))

test('a loop in plain WebGPU: waits where it awaits, passes, a lane for each mappable buffer', async ({
  page,
}) => {
  const { spans, lanes, rejected, fitProblems, uncaptured, output } = await record(page, 'rawLoop')
  expect(output).toEqual([1, 2, 3, 4])
  expect([rejected, fitProblems, uncaptured]).toEqual([{}, [], []])
  expect(lanes).toEqual(['host', 'queue', 'staging 0', 'staging 1', 'readback 0', 'device'])
  expect(of(spans, { kind: 'submit' }).map(({ name, step }) => [name, step])).toEqual(
    [0, 1, 2, 3].map((step) => [`submit step ${String(step)}`, step]),
  )
  expect(of(spans, { role: 'pass' })).toHaveLength(4)
  expect(of(spans, { role: 'fill' })).toHaveLength(4)
  expect(of(spans, { role: 'read' })).toHaveLength(4)
  const waits = of(spans, { role: 'wait-map' })
  expect(waits.filter(({ name }) => name === 'await mapAsync(readback)').map(({ submission }) => submission)).toEqual([0, 1, 2, 3]) // oxfmt-ignore
  // A staging buffer is asked for long before it is awaited: its wait is not the time from the
  // call.
  for (const wait of waits.filter(({ name }) => name.includes('staging'))) {
    const submit = of(spans, { kind: 'submit', step: wait.step - 2 })[0]
    if (submit) expect(wait.start).toBeGreaterThan(submit.end)
  }
  for (const fill of of(spans, { role: 'fill' })) {
    const encode = of(spans, { kind: 'encode', step: fill.step })[0]
    expect(fill.end).toBeLessThanOrEqual(encode?.start ?? 0)
  }
  const states = of(spans, { lane: 'staging 0' }).map(({ kind }) => kind.replace('staging-', ''))
  expect(states.slice(0, 5)).toEqual(['free', 'mapping', 'mapped', 'filled', 'in-flight'])
})

test('submissions that nobody awaits are one wait at the end, in a scope that catches nothing of the recorder', async ({
  page,
}) => {
  const { spans, output, rejected, uncaptured } = await record(page, 'queued')
  expect([output, rejected, uncaptured]).toEqual([[0], {}, []])
  expect(of(spans, { kind: 'queued' })).toHaveLength(20)
  expect(of(spans, { role: 'pass' })).toHaveLength(20)
  expect(of(spans, { kind: 'host-wait' }).map(({ role, submission }) => [role, submission])).toEqual([['wait-done', 19]]) // oxfmt-ignore
})

test('a program’s own timestamps stay its own, and are read where it resolves them', async ({ page }) => {
  const { spans, output, rejected, uncaptured } = await record(page, 'ownStamps')
  expect(output).toEqual([1, 1])
  expect([uncaptured, rejected]).toEqual([[], {}])
  expect(of(spans, { role: 'pass' }).map(({ name }) => name)).toEqual(['add', 'own'])
})

test('copies are timed where the self-test finds that they can be, and nowhere else', async ({ page }) => {
  const { works, spans, output, uncaptured } = await page.evaluate(() =>
    (globalThis as RecorderGlobal).recorderLab.copies(),
  )
  expect([output, uncaptured]).toEqual([[1, 2, 3, 4], []])
  expect(of(spans, { role: 'copy' })).toHaveLength(works ? 4 : 0)
})
