/**
 * Reads a text out once it has stayed the same for a while: it follows a hand, and half a word is
 * no news.
 */
import { useEffect, useState } from 'react'

interface SaidAtRestProps {
  /** What it begins with is not said. */
  readonly text: string
  readonly restMs: number
  readonly 'data-testid'?: string
}

export const SaidAtRest = ({ text, restMs, ...rest }: SaidAtRestProps) => {
  const [first] = useState(text)
  const [said, setSaid] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSaid((before) => (before === '' && text === first ? '' : text)), restMs)
    return () => clearTimeout(timer)
  }, [text, first, restMs])
  return (
    <p className="visually-hidden" role="status" {...rest}>
      {said}
    </p>
  )
}
