/** Added at the top of every generated page: names the source to edit. */
export function generatedNote(source: string): string {
  return `<!-- Generated from ${source} by "npm run generate": do not edit. -->`;
}
