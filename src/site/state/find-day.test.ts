import { expect, it } from 'vitest'
import { findDays } from 'virtual:find-days'
import { candidatesOf, NO_LINE, numberOn, resultText, rightOf, wrongWords } from './find-day'

it('plays each profile in turn, by the calendar', () => {
  const on = (text: string) => numberOn(new Date(text), 19)
  const first = on('2026-11-26T00:00:00')
  expect(on('2026-11-26T23:59:00')).toBe(first)
  expect(on('2026-11-27T00:00:00')).toBe((first % 19) + 1)
  const round = Array.from({ length: 19 }, (_, day) => numberOn(new Date(2026, 10, 1 + day), 19))
  expect(round.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 19 }, (_, at) => at + 1))
})

it('keeps the number of a profile that was played under it', () => {
  expect(findDays.slice(0, 3).map(({ name }) => name)).toEqual([
    'vit_norms',
    'augment_loader',
    'train_resnet',
  ])
})

it.each(findDays)('$name: one line of its own, none alike, the same for all who play', (day) => {
  const candidates = candidatesOf(day, findDays)
  expect(candidates).toEqual(candidatesOf(day, findDays))
  const own = candidates.filter(({ of }) => of === day.name)
  expect(own.map(({ text }) => text)).toEqual(day.line ? [day.line.text] : [])
  expect(rightOf(day)).toBe(own[0]?.of ?? NO_LINE)
  expect(candidates).toHaveLength(5)
  expect(new Set(candidates.map(({ fault }) => fault)).size).toBe(candidates.length)
  expect(new Set(candidates.map(({ text }) => text)).size).toBe(candidates.length)
})

it('does not put the right line in one place', () => {
  const places = findDays
    .filter(({ line }) => line !== null)
    .map((day) => candidatesOf(day, findDays).findIndex(({ of }) => of === day.name))
  expect(new Set(places).size).toBeGreaterThan(3)
})

it('says of a wrong line whose it is, and what the profile shows of its fault', () => {
  const [day] = findDays.filter(({ fault }) => fault === 'read-back')
  if (!day?.line) throw new Error('no profile has a read')
  const line = { of: day.name, text: day.line.text, fault: 'read-back' } as const
  expect(wrongWords(line, [])).toBe(
    `It was taken from another program, ${day.name}.py. There the finding is: results are read back in the loop. In this profile the analysis finds nothing of that.`,
  )
  const finding = { cause: 'read-back', share: 0.07 }
  expect(wrongWords(line, [{ findings: [], minor: [finding] }] as never)).toContain('costs 7 % of the time')
})

it('gives nothing away in what is pasted', () => {
  expect(resultText(12, 1, 'https://a.example/find/#12')).toBe(
    'Host/Device Lab, find the line #12: found in 1 click\nhttps://a.example/find/#12',
  )
})
