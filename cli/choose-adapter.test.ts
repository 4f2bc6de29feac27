/**
 * Which adapter commands run on, where a browser has no GPU, says nothing of one, or does not open
 * a page.
 */
import { beforeEach, expect, it, vi } from 'vitest'
import { chooseAdapter } from './choose-adapter'

const seen = vi.hoisted(() => ({
  closed: 0,
  said: [] as string[],
  answer: (): object | null => null,
  opens: true,
}))
vi.mock(import('./terminal.mjs'), async (original) => ({
  ...(await original()),
  say: (text: string) => void seen.said.push(text),
}))
vi.mock('./page-targets', () => ({
  openTargets: () =>
    seen.opens
      ? Promise.resolve({
          open: () => undefined,
          inPage: () => Promise.resolve().then(seen.answer),
          close: () => Promise.resolve((seen.closed += 1)),
        })
      : Promise.reject(new Error('It opened no page.')),
}))

const H200 = { vendor: 'nvidia', architecture: '', device: '', description: 'H200', isFallbackAdapter: false }

beforeEach(() => {
  Object.assign(seen, { closed: 0, said: [], opens: true })
})

it('takes a GPU where there is one, and asks nothing where software is asked for', async () => {
  seen.answer = () => H200
  expect(await chooseAdapter('auto', '/browser')).toBe('gpu')
  expect(await chooseAdapter('gpu', '/browser')).toBe('gpu')
  expect(await chooseAdapter('software', '/browser')).toBe('software')
  expect([seen.closed, seen.said]).toEqual([2, []])
})

it.each([
  ['there is no adapter', () => null, 'offers no adapter'],
  ['there is only software', () => ({ ...H200, description: 'llvmpipe' }), 'offers only llvmpipe'],
  [
    'it does not answer',
    () => {
      throw new Error('It did not answer.')
    },
    'offers no adapter',
  ],
])('takes software where %s, and says so', async (_, answer, why) => {
  seen.answer = answer
  expect(await chooseAdapter('auto', '/browser')).toBe('software')
  expect(seen.said).toEqual([expect.stringMatching(`^No GPU. The browser ${why}.* Running on software`)])
  await expect(chooseAdapter('gpu', '/browser')).rejects.toThrow(`No GPU. The browser ${why}`)
  expect(seen.closed).toBe(2)
})

it('a browser that opens no page has no GPU', async () => {
  seen.opens = false
  expect(await chooseAdapter('auto', '/browser')).toBe('software')
})
