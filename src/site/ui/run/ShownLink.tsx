/** A link that the browser did not let the page copy: selected when it is entered, to be copied by hand. */
import { useId } from 'react'

export const ShownLink = ({ address }: { readonly address: string }) => {
  const id = useId()
  return (
    <>
      <label htmlFor={id} className="visually-hidden">
        Link to copy
      </label>
      <input
        id={id}
        className="shown-link"
        type="text"
        readOnly
        value={address}
        onFocus={(event) => {
          event.currentTarget.select()
        }}
      />
    </>
  )
}
