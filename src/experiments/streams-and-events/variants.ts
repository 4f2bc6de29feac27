/** Names of the variants, and of the calls that one of them tries. */

/** All results are awaited together. */
export const WAIT_ALL = 'wait-all'
/** Each result is awaited by itself. */
export const WAIT_ONE = 'wait-one'
/** As wait-one, the products in turn on two devices. */
export const TWO_DEVICES = 'two-devices'
/** Calls that would race with the device in CUDA. */
export const RACE = 'race'

/** What is tried, by the names that programs/race.js gives back. */
export const CALLS = {
  'range-too-early': '`getMappedRange()` before `mapAsync()` has resolved',
  'map-twice': 'a second `mapAsync()` before the first has resolved',
  'submit-asked': '`submit()` of a copy into a buffer that `mapAsync()` has asked for',
  'submit-mapped': '`submit()` of a copy into a buffer that is mapped',
  'write-mapped': '`writeBuffer()` into a buffer that is mapped',
  'use-after-unmap': 'reading a mapped range after `unmap()`',
  'range-unasked': '`getMappedRange()` without `mapAsync()`',
  'destroy-queued': '`destroy()` while the copy is queued and `mapAsync()` is awaited',
  'map-queued': '`mapAsync()` while the product and the copy are queued',
} as const
export type Call = keyof typeof CALLS
export const CALL_NAMES = Object.keys(CALLS) as readonly Call[]

/** What comes of a call, as the program found it. */
export const ANSWERS = ['exception', 'rejected', 'validation', 'waited', 'let-through'] as const
export type Answer = (typeof ANSWERS)[number]

/** Where `derived` holds it; null where the call was not tried. */
export const answerTo = (derived: Readonly<Record<string, unknown>>, call: Call): Answer | null =>
  ANSWERS.find((answer) => answer === derived[`race ${call}`]) ?? null
