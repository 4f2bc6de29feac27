/** The file input for files of the visitor's, the same on every page that opens or keeps them. */
const LOOK = { main: 'button-main', small: 'button-small', plain: 'button-plain button-small' } as const

export const FileButton = ({
  label,
  look,
  multiple = false,
  onFiles,
}: {
  readonly label: string
  readonly look: keyof typeof LOOK
  readonly multiple?: boolean
  /** Never without a file. */
  readonly onFiles: (files: readonly File[]) => void
}) => (
  <label className={`button file-button no-print ${LOOK[look]}`}>
    {label}
    {/* No list of endings: .json.gz would be shut out by most of them. */}
    <input
      type="file"
      multiple={multiple}
      onChange={(event) => {
        const files = [...(event.target.files ?? [])]
        event.target.value = ''
        if (files.length > 0) onFiles(files)
      }}
    />
  </label>
)
