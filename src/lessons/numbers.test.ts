/**
 * Figures in words are quotations of recordings and runs, parameters, or have their source beside
 * them: the rest are typed, and typed figures drift from what is recorded. Those that remain are
 * givens of a question or of an example; they are listed here.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** Reasons for which a figure may be typed: none says what a machine was measured to do. */
interface Typed {
  /** The path is relative to src/. */
  readonly file: string
  readonly figures: readonly string[]
  readonly why: string
}
const TYPED: readonly Typed[] = [
  {
    file: 'lessons/questions.md',
    figures: ['3 seconds', '6 times', '97 %', '100 µs', '5 to 15 ms'],
    why: 'The words of those who ask, in the headings.',
  },
  {
    file: 'lessons/method.md',
    figures: ['0.2 ms', '50 ms', '20 ms'],
    why: 'Constants of the code: recorder/records.ts, gpu/kernels/calibrate/timing.ts, experiments/measure-programs.ts.',
  },
  {
    file: 'lessons/method.md',
    figures: ['75 %', '93.75 %', '90 %'],
    why: 'Probabilities, by the formula beside them; base/stats.ts.',
  },
  {
    file: 'lessons/method.md',
    figures: ['5 %', '1.9 %', '4.9 %', '3.1 %'],
    why: 'How far predictions are off: `npm run bench -- interventions`, and analysis/known-profiles.test.ts.',
  },
  {
    file: 'lessons/sync-stalls/lesson.md',
    figures: ['1 ms', '10 ms', '11 ms'],
    why: 'Givens of a question, and their sum.',
  },
  {
    file: 'lessons/async-submission/lesson.md',
    figures: ['0.2 ms', '10 ms'],
    why: 'What the button of a step asks for.',
  },
  {
    file: 'lessons/async-submission/lesson.md',
    figures: ['2 ms', '3 s'],
    why: 'Givens of a question: what the reader’s own stopwatch showed.',
  },
  {
    file: 'lessons/async-submission/mend/mend.md',
    figures: ['25 %', '5 s'],
    why: 'Rules of the mend: how near a rate must be, and how long a run may take.',
  },
  {
    file: 'lessons/starved-by-the-loader/lesson.md',
    figures: ['16 cores'],
    why: 'The machine of the PyTorch recording, which has no field of its cores.',
  },
  {
    file: 'lessons/kernel-ladder/lesson.md',
    figures: ['256 threads'],
    why: 'A rule of thumb, in an answer that is wrong.',
  },
  {
    file: 'lessons/kernel-ladder/lesson.md',
    figures: ['32 threads'],
    why: 'The results of n = 64, 128 to a thread: shaders/matmul/vectorised.wgsl.',
  },
  {
    file: 'lessons/worth-it/lesson.md',
    figures: ['8 threads'],
    why: 'The results of n = 32, 128 to a thread: shaders/matmul/vectorised.wgsl.',
  },
  {
    file: 'lessons/command-queue/lesson.md',
    figures: ['200 µs', '50 µs'],
    why: 'What a button asks for.',
  },
  {
    file: 'lessons/overlapped-uploads/lesson.md',
    figures: ['20 µs', '63 GB/s'],
    why: 'A given of a question, and the rate of a link in the table of PCI Express.',
  },
  {
    file: 'lessons/transfer-cost/lesson.md',
    figures: ['13 GB/s', '31.5 GB/s', '15.8 GB/s', '83 %'],
    why: 'Givens of a question about a link of generation 4, its rates in the table of PCI Express, and their quotient.',
  },
  {
    file: 'lessons/streams-and-events/mend/mend.md',
    figures: ['1.5 times'],
    why: 'The limit that the mend’s check allows.',
  },
  {
    file: 'lessons/worth-it/mend/mend.md',
    figures: ['10 %'],
    why: 'The limit that the mend’s check allows.',
  },
  {
    file: 'lessons/worth-it/mend/mend.md',
    figures: ['1 GFLOP/s', '1 ms', '1 GB/s'],
    why: 'Conversions of units.',
  },
]

const FOLDERS = ['src/lessons', 'src/experiments']

/**
 * A number with a unit of time, rate, share or factor, or of a CPU's cores and threads; one of
 * bytes, or without a unit, is a size or a count.
 */
const FIGURE =
  /(?<![\w.-])\d[\d.,]*\d?(?: to \d[\d.,]*\d?)?\s?(?:ms|µs|us|ns|s|minutes?|seconds?|milliseconds?|microseconds?|[KMGT]?i?B\/s|[GT]FLOP\/s|%|×(?! ?\d)|per cent|times|threads|cores)(?![\w/])/g

/** A paragraph without code, filled-in names, addresses, and the YAML at the head. */
const proseOf = (paragraph: string): string =>
  paragraph.replaceAll(/`[^`]*`/g, '').replaceAll(/\{[^{}]*\}/g, '')

/** Paragraphs with a link have their source beside them. */
const hasSource = (paragraph: string): boolean => /\]\(https:/.test(paragraph)

function typedIn(file: string): readonly string[] {
  const body = readFileSync(file, 'utf8').replace(/^---\n[^]*?\n---\n/, '')
  const words = body.replaceAll(/^```[^]*?^```/gm, '')
  return words
    .split(/\n{2,}/)
    .filter((paragraph) => !hasSource(paragraph) && !paragraph.startsWith('|'))
    .flatMap((paragraph) => proseOf(paragraph).match(FIGURE) ?? [])
    .map((figure) => `${file.replace(/^src\//, '')}: ${figure.trim()}`)
}

it('no figure is typed but those that are listed, with the reason', () => {
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md') && !path.endsWith('README.md'))
      .flatMap((path) => typedIn(join(folder, path).replaceAll('\\', '/'))),
  )
  const listed = TYPED.flatMap(({ file, figures }) => figures.map((figure) => `${file}: ${figure}`))
  expect(found.filter((each) => !listed.includes(each)).join('\n'), 'typed').toBe('')
  expect(listed.filter((each) => !found.includes(each)).join('\n'), 'no longer there').toBe('')
})
