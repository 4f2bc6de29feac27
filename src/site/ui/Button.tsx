/**
 * A key in one of the looks that keys have. One that is off says so and does nothing, and can still
 * be reached and read.
 */
import type { ComponentProps, ReactNode } from 'react'

const LOOKS = {
  usual: 'button',
  main: 'button button-main',
  plain: 'button button-plain',
  small: 'button button-small',
  'small-plain': 'button button-small button-plain',
  link: 'link-button',
  timeline: 'tl-button',
} as const

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: keyof typeof LOOKS
  readonly isOff?: boolean
  /** Its words, where it has nothing else in it. */
  readonly label?: ReactNode
}

export const Button = (props: ButtonProps) => {
  const { look = 'usual', isOff, label, className = '', onClick, children = label, ...rest } = props
  return (
    <button
      type="button"
      className={`${LOOKS[look]} ${className}`.trimEnd()}
      aria-disabled={isOff}
      onClick={isOff ? undefined : onClick}
      {...rest}
    >
      {children}
    </button>
  )
}
