/** Output and exit code of `lab grade`, for each answer of the page about a program. */
import { expect, it, vi } from 'vitest'
import type { Grade } from '../src/exercises/types'
import { grade } from './lab-grade'

const page = vi.hoisted(() => ({ says: null as Grade | null }))
vi.mock('./lab-page', () => ({
  openLabPage: () => ({
    device: { adapterName: 'an adapter' },
    page: { evaluate: () => Promise.resolve(page.says) },
    gone: new Promise(() => undefined),
    close: () => undefined,
  }),
}))
vi.mock(import('./terminal.mjs'), async (original) => ({ ...(await original()), say: () => undefined }))

const asked = {
  command: 'grade',
  lesson: 'command-queue',
  file: 'src/lessons/command-queue/mend/start.js',
  rung: 2,
  adapter: 'software',
  quantized: false,
} as const

it.each([
  [true, 'passed', 0],
  [false, 'not passed', 1],
  [null, 'cannot be determined', 1],
] as const)('a program whose grade is %s', async (passed, words, code) => {
  page.says = { passed, checks: [{ id: 'submits', outcome: 'no', text: 'Too many.' }] }
  const log = vi.spyOn(console, 'log').mockReturnValue()
  expect(await grade({ ...asked, json: false })).toBe(code)
  expect(String(log.mock.calls[0])).toMatch(new RegExp(`no +submits +Too many\\.\\n\\n${words}`))
  expect(await grade({ ...asked, json: true })).toBe(code)
  expect(JSON.parse(String(log.mock.calls[1]))).toMatchObject(page.says)
})
