/** What would a second stream give me? Results awaited together or one by one, and on two devices; and what CUDA's race becomes here. */
import { defineExperiment } from '../declare/experiment'
import { completionLag } from '../declare/device-samplers'
import { choice, number } from '../declare/params'
import { MATMUL, medianSpan, ratioTo, windowOver, worked } from '../declare/samplers'
import { matmulSources, shared } from '../shared-params'
import { answersFigure } from './charts'
import { answerTime, firstResult, firstShare } from './samplers'
import {
  ANSWERS,
  answerTo,
  CALL_NAMES,
  CALLS,
  RACE,
  TWO_DEVICES,
  WAIT_ALL,
  WAIT_ONE,
  type Answer,
} from './variants'

const results = { variants: (variant: string) => variant !== RACE }
const race = { variants: (variant: string) => variant === RACE }

type Derived = Readonly<Record<string, unknown>>
const answered = (derived: Derived, kinds: readonly Answer[]) =>
  CALL_NAMES.filter((call) => kinds.some((kind) => kind === answerTo(derived, call)))
const countOf = (...kinds: readonly Answer[]) =>
  worked('count', ({ evidence }) => answered(evidence.derived, kinds).length, 'as the program found it')
const inWords = (derived: Derived, kind: Answer): string | null =>
  answered(derived, [kind])
    .map((call) => CALLS[call])
    .join('; ') || null

export const streamsAndEvents = defineExperiment({
  id: 'streams-and-events',
  title: 'Streams and events',
  question: 'When can the first of several results be read?',
  params: [
    number(
      'kernel',
      'Time of one product over a report',
      'A product is sized from the measured rate of this device so that it takes this many times as long as the report of a short kernel takes here.',
      { place: 'dial', default: 4, min: 0.02, max: 16, integer: false, unit: '×', scale: 'log2' },
    ),
    choice(
      'also',
      'Also try',
      'As a variant of its own: calls that would race with the device in CUDA, and what WebGPU answers.',
      { nothing: 'nothing else', [RACE]: 'calls that race' },
      { place: 'dial' },
    ),
    {
      ...shared.steps,
      label: 'Results',
      help: 'Results in each repeat, each in a submission of its own.',
      default: 8,
      max: 32,
    },
    shared.repeats,
    shared.seconds,
  ],
  presets: [
    { id: 'short', label: 'Short run', values: { steps: 4, repeats: 2, also: RACE } },
    { id: 'short-kernels', label: 'Short kernels', values: { kernel: 0.02 } },
    { id: 'more', label: 'More results', values: { steps: 32 } },
    { id: 'race', label: 'Try to race', values: { also: RACE } },
  ],
  sources: matmulSources,
  variants: ({ also }) => [WAIT_ALL, WAIT_ONE, TWO_DEVICES, ...(also === RACE ? [RACE] : [])],
  names: ({ derived }) =>
    Object.fromEntries(ANSWERS.map((kind) => [kind.replace('-', ''), inWords(derived, kind)])),
  metrics: {
    'first-share': ['First result read, of the time of all', firstShare, results],
    'first-result-ms': ['Until the first result was read', firstResult, results],
    'all-ms': ['Until all results were read', windowOver(), results],
    slowdown: ['Longer than on one device', ratioTo(WAIT_ONE), { variants: (name) => name === TWO_DEVICES }],
    'kernel-ms': ['One product, on the device', medianSpan(MATMUL), results],
    'completion-lag-ms': ['From its end to the report', completionLag(), results],
    refused: ['Calls met with an error', countOf('exception', 'rejected', 'validation'), race],
    waited: ['Calls that waited', countOf('waited'), race],
    'let-through': ['Calls neither refused nor made to wait', countOf('let-through'), race],
    'answer-ms': [
      'Until the call was answered',
      answerTime,
      { at: (measured) => (measured.includes(RACE) ? CALL_NAMES : []) },
    ],
  },
  figures: answersFigure,
})
