/** The field's words, WebGPU's and PyTorch's: glossary.md. `[encodes](#encode)` in a lesson opens one. */
import type { Section } from './lesson'
import { sections } from './glossary.md'

export const findTerm = (id: string): Section | undefined => sections.find((term) => term.id === id)
