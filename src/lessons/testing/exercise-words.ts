/** The words of all mends, by lesson. */
import type { ExerciseWords } from '../../exercises/words'

const words = import.meta.glob<ExerciseWords>('../*/mend/mend.md', { eager: true, import: 'words' })

export const exerciseWords = (id: string): ExerciseWords | null => words[`../${id}/mend/mend.md`] ?? null
