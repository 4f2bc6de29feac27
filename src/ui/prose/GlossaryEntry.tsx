/** One word of the glossary, in both dialects. */
import { findTerm } from '../../lessons/glossary'
import { Inline } from './Prose'

export const GlossaryEntry = ({ id }: { readonly id: string }) => {
  const term = findTerm(id)
  if (!term) return null
  return (
    <>
      <strong className="definition-term">{term.heading}</strong>
      {term.text.map((paragraph) => (
        <span key={paragraph} className="definition-paragraph">
          <Inline text={paragraph} />
        </span>
      ))}
    </>
  )
}
