import { expect, it } from 'vitest'
import { evidenceWords } from './FindProfile'
import { withoutFaultMarks } from './ScriptLines'

const plain = (text: string) => text.replaceAll(/\u2009/g, ' ')
const attributed = (share: number, rank: number | null = null) => ({
  title: 'Many small kernels',
  share,
  rank,
})

it('says how often a function ran and what is attributed to it', () => {
  expect(evidenceWords(undefined, [])).toBe('This profile has no call of it, so it cost nothing.')
  expect(plain(evidenceWords({ count: 1, ns: 2e6 }, []))).toBe(
    'In this profile it ran 1 time, for 2 ms on the host. It cost the GPU no time.',
  )
  expect(plain(evidenceWords({ count: 4, ns: 4e3 }, [attributed(0.0355)]))).toBe(
    'In this profile it ran 4 times, for 1 µs on the host on average. It cost 3.55 % of the GPU’s time (many small kernels).',
  )
  expect(evidenceWords({ count: 4, ns: 4e3 }, [attributed(0.5, 1)])).toContain('rank 1’s time')
})

it('shows no mark of a fault, and all else', () =>
  expect(
    withoutFaultMarks([
      ['a = 1', ['  # fault: read', 'comment']],
      ['b = 2  # fault: no-overlap'],
      [['c', 'keyword'], '  # a comment on a fault: this'],
    ]),
  ).toEqual([['a = 1'], ['b = 2'], [['c', 'keyword'], '  # a comment on a fault: this']]))
