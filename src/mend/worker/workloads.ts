/** Every lesson's workload, by the lesson's id. */
import type { PrepareMend } from '../workload'

const prepares: Readonly<Record<string, PrepareMend>> = import.meta.glob<PrepareMend>(
  '../../lessons/*/mend/prepare.ts',
  {
    import: 'prepare',
    eager: true,
  },
)

export const workloadOf = (lesson: string): PrepareMend | undefined =>
  prepares[`../../lessons/${lesson}/mend/prepare.ts`]
