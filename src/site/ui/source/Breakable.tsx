import { Fragment } from 'react'

/** Where a line that is too long may be broken: before a member's dot, and after what opens a bracket; not within a name or a number. */
const BREAKS = /(?<![\d.])(?=\.)|(?<=[([])(?![)\]])/

/** `<wbr>` is not copied with the text. */
export const Breakable = ({ text }: { readonly text: string }) =>
  text.split(BREAKS).map((piece, at) => (
    <Fragment key={at}>
      {piece.startsWith('.') && <wbr />}
      {piece}
      {/[([]$/.test(piece) && <wbr />}
    </Fragment>
  ))
