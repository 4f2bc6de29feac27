/** Figures that are typed into words, and why they may be: none of them says what a machine was measured to do. */
interface Typed {
  /** Below src/. */
  readonly file: string
  readonly figures: readonly string[]
  readonly why: string
}
export const TYPED: readonly Typed[] = [
  {
    file: 'lessons/questions.md',
    figures: ['3 seconds', '6 times', '97 %', '5 to 15 ms'],
    why: 'The words of those who ask, in the headings.',
  },
  {
    file: 'lessons/method.md',
    figures: ['0.2 ms', '50 ms', '20 ms'],
    why: 'Constants of the code: recorder/pace.ts, kernels/calibrate/timing.ts, experiments/measure-programs.ts.',
  },
  {
    file: 'lessons/method.md',
    figures: ['75 %', '93.75 %', '90 %', '96.1 %'],
    why: 'Probabilities, by the formula beside them; base/stats.ts.',
  },
]
