export interface UserRow {
  readonly n: number;
  readonly user_id: string;
  readonly recipe_user_id: string;
}
