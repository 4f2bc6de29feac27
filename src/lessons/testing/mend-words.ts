/** The words of all mends, by lesson. */
import type { MendWords } from '../../exercises/words'

const words = import.meta.glob<MendWords>('../*/mend/mend.md', { eager: true, import: 'words' })

export const mendWords = (id: string): MendWords | null => words[`../${id}/mend/mend.md`] ?? null
