/** The machines on which licenses are used, and the largest number of them for each license of a listing. */
export const licenseActivations: ReadonlyArray<string> = [
  `ALTER TABLE listings ADD COLUMN max_activations int CHECK (max_activations >= 1)`,
  `CREATE TABLE license_activations (
    purchase_id text NOT NULL CONSTRAINT license_activations_purchase REFERENCES purchases (id),
    machine text NOT NULL,
    label text,
    activated_at timestamptz NOT NULL,
    PRIMARY KEY (purchase_id, machine)
  )`
]
