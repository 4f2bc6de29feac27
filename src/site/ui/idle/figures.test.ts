import { expect, it } from 'vitest'
import { shareText, threeFigures } from './IdleTable'

const plain = (text: string) => text.replace(/[\u2009\u202f]/g, ' ')

it('keeps the ends of an interval apart, and small shares from reading as none', () => {
  const metric = { name: 'repeat-ms', variant: 'v', unit: 'ms', origin: 'host-clock', n: 5 } as const
  expect(plain(threeFigures({ ...metric, low: 108.2, value: 110.55, high: 146.9 }).range)).toBe('108 to 147')
  expect([0.92, 0.034, 0.0021, 0.0001, 0].map((share) => plain(shareText(share)))).toEqual([
    '92 %',
    '3.4 %',
    '0.2 %',
    'under 0.1 %',
    '0 %',
  ])
})
