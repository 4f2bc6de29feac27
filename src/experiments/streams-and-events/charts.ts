/** A bar for each call that was tried: how long its answer took, and what it was. */
import type { BarFigure, FigureHue } from '../../trace/figure'
import type { Metric } from '../../trace/report'
import type { Evidence } from '../run-types'
import { ANSWERS, answerTo, CALL_NAMES, CALLS, type Answer } from './variants'

const LOOKS: Readonly<Record<Answer, readonly [label: string, hue: FigureHue]>> = {
  exception: ['threw an exception', 'variant-1'],
  rejected: ['gave a rejected promise', 'variant-2'],
  validation: ['gave a validation error', 'variant-3'],
  waited: ['waited, and was right', 'wait'],
  'let-through': ['was let through', 'variant-4'],
}

export function answersFigure(
  metrics: readonly Metric[],
  { derived }: Pick<Evidence, 'derived'>,
): readonly BarFigure[] {
  const bars = CALL_NAMES.flatMap((call) => {
    const answer = answerTo(derived, call)
    const metric = metrics.find(({ name, variant }) => name === 'answer-ms' && variant === call)
    if (answer === null || metric?.value == null) return []
    const { value, low, high } = metric
    return [
      { label: CALLS[call].replaceAll('`', ''), parts: { [answer]: { value, low, high } }, total: null },
    ]
  })
  if (bars.length === 0) return []
  return [
    {
      kind: 'bars',
      id: 'answers',
      title: 'Nine calls that touch a buffer too early',
      caption: 'How long it took until the program had the answer, and what the answer was.',
      axis: { label: 'until the answer', unit: 'ms' },
      parts: ANSWERS.filter((answer) => bars.some(({ parts }) => answer in parts)).map((id) => {
        const [label, hue] = LOOKS[id]
        return { id, label, hue }
      }),
      bars,
      thresholds: [],
    },
  ]
}
