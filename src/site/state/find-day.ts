/**
 * 'Find the line': a recorded profile a day, and lines of which one is to blame for it, if any is.
 * The lines are those at fault in the recorded programs (public/recordings/profiles/profiles.json):
 * one of this profile's own program, the others of programs with another fault. Pure.
 */
import { shuffler } from 'd3-array'
import type { Diagnosis } from '../../analysis/findings'
import type { Cause } from '../../analysis/replay/causes'
import { CAUSE_WORDS } from '../../analysis/cause-words'
import { percentText } from '../../base/figures'
import { NO_LINE } from '../../lessons/lesson'

/** A line as it stands in its file. */
interface FaultLine {
  readonly text: string
  /** Counted from 1. */
  readonly number: number
}

/** A profile of which it is known what is true. */
export interface FindDay {
  readonly name: string
  readonly files: readonly string[]
  /** 'vision' */
  readonly field: string
  /** Null: the program was written without one. */
  readonly fault: Cause | null
  /** Null exactly where `fault` is. */
  readonly line: FaultLine | null
  /**
   * Median of a step without the profiler, ms: as it is, and with the line mended; null where that
   * was not measured.
   */
  readonly stepMs: number
  readonly mendedMs: number | null
}

interface Candidate {
  /** The day whose program has it. */
  readonly of: string
  readonly text: string
  readonly fault: Cause
}

const DAY_MS = 86_400_000

/** Which is played on a date, counted from 1: each in turn, by the calendar of whoever plays. */
export const numberOn = (date: Date, count: number): number =>
  (Math.floor(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS) % count) + 1

/**
 * Of the same bytes: a pageable copy and one on the stream of the kernels are written alike,
 * `part.to(device, non_blocking=True)`.
 */
const COPIES: readonly Cause[] = ['pageable-copies', 'copies-in-line']
const isAlike = (one: Cause, other: Cause): boolean =>
  one === other || (COPIES.includes(one) && COPIES.includes(other))

/** As many where none is right: their number says nothing. */
const LINES = 5

/**
 * The lines to choose from, in an order by chance that is the same for all who play this day: no
 * two with the same fault.
 */
export function candidatesOf(day: FindDay, days: readonly FindDay[]): readonly Candidate[] {
  const lineOf = ({ name, fault, line }: FindDay): readonly Candidate[] =>
    fault && line ? [{ of: name, text: line.text, fault }] : []
  // A linear congruential generator, begun far apart for days that follow each other.
  let state = (days.indexOf(day) * 2_654_435_761) % 2 ** 32
  const random = () => (state = (1_664_525 * state + 1_013_904_223) % 2 ** 32) / 2 ** 32
  const shuffled = (all: readonly Candidate[]): readonly Candidate[] => shuffler(random)([...all])
  const chosen = [...lineOf(day)]
  // Who waits for another rank has one.
  const isPossible = (fault: Cause) => fault !== 'late-rank' || day.files.length > 1
  for (const each of shuffled(days.flatMap(lineOf))) {
    if (chosen.length >= LINES) break
    if (isPossible(each.fault) && chosen.every(({ fault }) => !isAlike(fault, each.fault))) chosen.push(each)
  }
  return shuffled(chosen)
}

/** What is right: a day's name, or NO_LINE. */
export const rightOf = ({ name, line }: FindDay): string => (line ? name : NO_LINE)

/** Why a line is not at fault: what the analysis of this profile says of that line's fault. */
export function wrongWords(
  { fault }: Candidate,
  diagnoses: readonly Pick<Diagnosis, 'findings' | 'minor'>[],
): string {
  const [most] = diagnoses
    .flatMap(({ findings, minor }) => [...findings, ...minor])
    .filter(({ cause }) => cause === fault)
    .toSorted((one, other) => other.share - one.share)
  return most
    ? [most.sentence, most.evidence, 'Something else costs more.'].filter(Boolean).join(' ')
    : `With it, the GPU would be idle while ${CAUSE_WORDS[fault].beside}. This profile has no such gap.`
}

/** Why it is not so that no line is at fault. */
export function noLineWords(diagnoses: readonly Pick<Diagnosis, 'parts' | 'recordedUs'>[]): string {
  const least = Math.min(...diagnoses.map(({ parts, recordedUs }) => parts.workUs / recordedUs))
  return `${diagnoses.length > 1 ? 'One GPU' : 'The GPU'} computes for ${percentText(least)} of the time. Look at what the host does in the rest.`
}

/** 'found in 1 click' */
export const foundWords = (clicks: number): string =>
  `found in ${String(clicks)} ${clicks === 1 ? 'click' : 'clicks'}`

/** To be pasted: it gives nothing away. */
export const resultText = (number: number, clicks: number, address: string): string =>
  `Host/Device Lab, find the line #${String(number)}: ${foundWords(clicks)}\n${address}`
