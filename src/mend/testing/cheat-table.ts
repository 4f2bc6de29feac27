/** Lines of a list's item that fit a terminal. */
const wrapped = (item: string): readonly string[] =>
  item
    .replaceAll(/(.{1,96})(?: |$)/g, '$1\n')
    .trimEnd()
    .split('\n')
    .map((line, index) => (index === 0 ? line : `  ${line}`))

/** Families of cheats × mends, with the checks that stop each: the page src/mend/CHEATS.md. */
import { format } from 'oxfmt'
import { FAMILIES, type Family } from './families'
import { absentFamilies, wrongPrograms } from './programs'

export type Cheat = Exclude<Family, 'mistake'>
export const CHEATS: readonly Cheat[] = FAMILIES.filter((family) => family !== 'mistake')

const WALLS: Readonly<Record<Cheat, string>> = {
  'kept results': 'Inputs come from a fresh seed before every run, so what was right then is wrong now.',
  constants: 'The lab works out what each run must give, and compares all of it or words that nobody knows.',
  'patched clocks':
    'Built-ins are frozen before the program is evaluated; the page times each run beside it.',
  'skipped or double work':
    'Work is counted where it is done, on the device or at the border: 1 to 1.1 times what is asked for.',
  timers: 'The global has none (`worker/global.ts`).',
  'forged values': 'What crosses the border is copied by intrinsics captured before (`worker/border.ts`).',
  'late work':
    'WebGPU refuses a program whose promise has settled (`../recorder/gate.ts`); what still runs then is seen.',
  'blinded waits': 'The order of submissions and of their ends is judged, whichever call waited.',
  'stolen pipelines':
    'The lab’s functions take genuine encoders alone; the budget knows each pipeline and its workgroups.',
  'yields null':
    'What a program throws, or never settles, is the program’s: it fails before anything is unsure.',
}

export interface MendCheats {
  readonly lesson: string
  /** Checks that stop a cheat of that family; none: it has no such cheat. */
  readonly checks: ReadonlyMap<Family, readonly string[]>
  /** Why a family does not apply. */
  readonly absent: ReadonlyMap<Family, string>
}

export async function cheatsOf(lesson: string): Promise<MendCheats> {
  const checks = new Map<Family, string[]>()
  for (const { kind, fails } of await wrongPrograms(lesson)) {
    const known = checks.get(kind) ?? []
    if (!known.includes(fails)) checks.set(kind, [...known, fails])
  }
  return { lesson, checks, absent: await absentFamilies(lesson) }
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

export async function cheatPage(mends: readonly MendCheats[], file: string): Promise<string> {
  const [ruler, reasons] = [
    (count: number) => row(Array<string>(count).fill('---')),
    new Map<string, string[]>(),
  ]
  for (const { lesson, absent } of mends)
    for (const [family, why] of absent) {
      const reason = `${family}: ${why}`
      reasons.set(reason, [...(reasons.get(reason) ?? []), lesson])
    }
  const text = [
    '# Cheats, and what stops each',
    '',
    '`npx vitest run src/mend/testing/cheat-table.test.ts -u` writes this page from the `wrong.edits` of',
    'the mends and from `testing/shared.edits`. Each cheat runs in `npm run test:mends`, and must fail',
    'the check that it names.',
    '',
    row(['Family', 'What stops it']),
    ruler(2),
    ...CHEATS.map((family) => row([family, WALLS[family]])),
    '',
    'Checks that say no:',
    '',
    row(['Mend', ...CHEATS]),
    ruler(CHEATS.length + 1),
    ...mends.map(({ lesson, checks }) =>
      row([lesson, ...CHEATS.map((family) => checks.get(family)?.join(', ') ?? '–')]),
    ),
    '',
    'A family does not apply (–):',
    '',
    ...[...reasons].flatMap(([reason, lessons]) => wrapped(`- ${lessons.join(', ')}: ${reason}`)),
    '',
  ].join('\n')
  return (await format(file, text)).code
}
