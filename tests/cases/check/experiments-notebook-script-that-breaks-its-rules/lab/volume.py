# %% [markdown]
# Length times width times lift.

# %%
import yaml

volume = 40 * 5 * 1.2
print(volume)

# %%
assert True
