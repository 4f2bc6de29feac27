import { expect, it } from 'vitest'
import { findDays } from 'virtual:find-days'
import { NO_LINE } from '../../lessons/lesson'
import { candidatesOf, noLineWords, numberOn, resultText, rightOf, wrongWords } from './find-day'

it('plays each profile in turn, by the calendar', () => {
  const on = (text: string) => numberOn(new Date(text), 19)
  const first = on('2026-11-26T00:00:00')
  expect(on('2026-11-26T23:59:00')).toBe(first)
  expect(on('2026-11-27T00:00:00')).toBe((first % 19) + 1)
  const round = Array.from({ length: 19 }, (_, day) => numberOn(new Date(2026, 10, 1 + day), 19))
  expect(round.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 19 }, (_, at) => at + 1))
})

it('keeps the number of a profile that was played under it', () =>
  expect(findDays.slice(0, 3).map(({ name }) => name)).toEqual([
    'vit_norms',
    'augment_loader',
    'train_resnet',
  ]))

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

it('answers a wrong line with what the profile shows of its fault', () => {
  const line = { of: 'another', text: 'x.item()', fault: 'read-back' } as const
  expect(wrongWords(line, [])).toBe(
    'With it, the GPU would be idle while the host waited for a result that it read. This profile has no such gap.',
  )
  const finding = (share: number) => ({
    cause: 'read-back',
    share,
    sentence: `It costs ${String(share)}.`,
    evidence: 'It waited twice.',
  })
  expect(wrongWords(line, [{ findings: [finding(0.07)], minor: [finding(0.09)] }] as never)).toBe(
    'It costs 0.09. It waited twice. Something else costs more.',
  )
})

it('says to ‘no line’ how little a GPU computes', () => {
  const diagnosis = (workUs: number) => ({ parts: { workUs }, recordedUs: 200 }) as never
  expect(noLineWords([diagnosis(50)])).toContain('The GPU computes for 25 % of the time.')
  expect(noLineWords([diagnosis(50), diagnosis(20)])).toContain('One GPU computes for 10 % of the time.')
})

it('gives nothing away in what is pasted', () =>
  expect(resultText(12, 1, 'https://a.example/find/#12')).toBe(
    'Host/Device Lab, find the line #12: found in 1 click\nhttps://a.example/find/#12',
  ))
