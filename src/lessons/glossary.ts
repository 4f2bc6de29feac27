/** The field's words, WebGPU's and PyTorch's: glossary.md. `[encodes](#encode)` in a lesson opens one. */
import type { Section } from './lesson'
import { sections } from './glossary.md'

export const glossary: readonly Section[] = sections

export const findTerm = (id: string): Section | undefined => glossary.find((term) => term.id === id)
