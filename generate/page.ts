/** Above every generated page: who would edit it finds what to edit. */
export function generatedNote(source: string): string {
  return `<!-- Generated from ${source} by "npm run generate": do not edit. -->`;
}
