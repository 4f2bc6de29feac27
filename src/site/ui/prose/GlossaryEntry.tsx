/** One word of the glossary, in both dialects. */
import type { ReactNode } from 'react'
import { findTerm } from '../../../lessons/glossary'

export interface GlossaryEntryProps {
  readonly id: string
  /** Draws inline markup. */
  readonly draw: (text: string) => ReactNode
}

export const GlossaryEntry = ({ id, draw }: GlossaryEntryProps) => {
  const term = findTerm(id)
  if (!term) return null
  return (
    <>
      <strong className="block">{term.heading}</strong>
      {term.text.map((paragraph) => (
        <span key={paragraph} className="definition-paragraph block">
          {draw(paragraph)}
        </span>
      ))}
    </>
  )
}
