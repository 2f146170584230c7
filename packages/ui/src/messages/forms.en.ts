/** More texts that appear in many places, but not on the apps' first pages. */
export const forms = {
  cancel: 'Cancel',
  save: 'Save',
  loading: 'Loading…',
  oneMoment: 'One moment…',
  keep: 'Keep',
  remove: 'Remove',
  amount: 'Amount',
  name: 'Name',
  password: 'Password',
  email: 'E-mail',
};
