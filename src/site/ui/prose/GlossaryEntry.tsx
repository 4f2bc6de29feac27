/** One word of the glossary, in both dialects. */
import type { ReactNode } from 'react'
import { sections } from '../../../lessons/glossary.md'

export interface GlossaryEntryProps {
  readonly id: string
  /** Draws inline markup. */
  readonly draw: (text: string) => ReactNode
}

export const GlossaryEntry = ({ id, draw }: GlossaryEntryProps) => {
  const term = sections.find((each) => each.id === id)
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
