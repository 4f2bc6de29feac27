/** Of a column whose head is said and not shown. */
export const VisuallyHidden = ({ head }: { readonly head: string }) => (
  <span className="visually-hidden">{head}</span>
)
