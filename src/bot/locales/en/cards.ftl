# Cards, in English.

card-more-settings = <b>More settings</b>
card-models = <b>Which model?</b>
button-reset = ↺ Reset settings
settings-reset = All settings are back to their defaults
card-short = You’re { $missing } short. Top up, and this card comes back ready to go.
